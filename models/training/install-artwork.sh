#!/bin/sh
# Installs the fonts and card artwork that the renderer draws with; none of it is kept in the project.
packages="fonts-urw-base35 fonts-freefont-ttf fonts-texgyre fonts-liberation fonts-dejavu fonts-roboto-slab
  fonts-crosextra-caladea fonts-bebas-neue librsvg2-bin gnome-cards-data"
missing=""
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo -n"
# shellcheck disable=SC2086
if ! { $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends $missing; }; then
  echo "The renderer needs these packages. Type: sudo apt-get install$missing" >&2
fi
