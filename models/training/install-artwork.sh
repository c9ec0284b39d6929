#!/bin/sh
# Installs the fonts and card artwork that the renderer draws with; none of it is kept in the project.
packages="fonts-urw-base35 fonts-freefont-ttf fonts-texgyre fonts-liberation fonts-dejavu fonts-roboto-slab
  fonts-crosextra-caladea fonts-bebas-neue librsvg2-bin gnome-cards-data kdegames-card-data-kf5"
decks="svg-cards@4.0.2 @heruka_urgyen/react-playing-cards@0.5.0
  @younestouati/playing-cards-standard-deck@3.0.0"
place="${XDG_CACHE_HOME:-$HOME/.cache}/dealer-kiosk-artwork"
if command -v npm >/dev/null && [ ! -d "$place/node_modules/svg-cards" ]; then
  mkdir -p "$place"
  # shellcheck disable=SC2086
  npm install --prefix "$place" --no-save --no-audit --no-fund --ignore-scripts --legacy-peer-deps --silent $decks ||
    echo "Three more decks could not be had from npm; the renderer does without them." >&2
elif ! command -v npm >/dev/null; then
  echo "Where npm is installed, three more decks are fetched; the renderer does without them." >&2
fi
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
