#!/bin/sh
# Installs the fonts and card artwork that the renderer draws with; none of it is kept in the project.
# --all-typefaces: a hundred packages of fonts more, for training a namer that is to ship.
packages="fonts-urw-base35 fonts-freefont-ttf fonts-texgyre fonts-liberation fonts-dejavu fonts-roboto-slab
  fonts-crosextra-caladea fonts-bebas-neue librsvg2-bin gnome-cards-data kdegames-card-data-kf5"
typefaces="fonts-adf-accanthis fonts-adf-baskervald fonts-adf-berenis fonts-adf-gillius fonts-adf-ikarius
  fonts-adf-irianis fonts-adf-libris fonts-adf-mekanus fonts-adf-oldania fonts-adf-romande
  fonts-adf-switzera fonts-adf-tribun fonts-adf-universalis fonts-adf-verana fonts-agave
  fonts-allerta fonts-anonymous-pro fonts-arapey fonts-averia-sans-gwf fonts-averia-serif-gwf
  fonts-b612 fonts-cabin fonts-cantarell fonts-cardo fonts-century-catalogue fonts-clear-sans
  fonts-cmu fonts-comfortaa fonts-compagnon fonts-courier-prime fonts-croscore
  fonts-crosextra-carlito fonts-dosis fonts-dustin fonts-ebgaramond fonts-ebgaramond-extra
  fonts-essays1743 fonts-eurofurence fonts-f500 fonts-fantasque-sans fonts-fanwood fonts-firacode
  fonts-georgewilliams fonts-gfs-artemisia fonts-gfs-bodoni-classic fonts-gfs-didot
  fonts-gfs-neohellenic fonts-go fonts-goudybookletter fonts-havana fonts-inconsolata fonts-inter
  fonts-isabella fonts-junction fonts-junicode fonts-jura fonts-karla fonts-lato
  fonts-league-spartan fonts-levien-museum fonts-levien-typoscript fonts-lindenhill fonts-linex
  fonts-linuxlibertine fonts-lmodern fonts-lobstertwo fonts-manrope fonts-millimetre
  fonts-mononoki fonts-national-park fonts-noto-core fonts-noto-mono fonts-ocr-b fonts-oldstandard
  fonts-open-sans fonts-opendin fonts-osifont fonts-oxygen fonts-paratype fonts-play
  fonts-prociono fonts-quattrocento fonts-quicksand fonts-radisnoir fonts-roadgeek
  fonts-roboto-unhinted fonts-rufscript fonts-sil-andika fonts-sil-charis fonts-sil-doulos
  fonts-sil-galatia fonts-sil-gentium-basic fonts-sora fonts-stix fonts-summersby
  fonts-tlwg-garuda-otf fonts-tlwg-kinnari-otf fonts-tlwg-loma-otf fonts-tlwg-norasi-otf
  fonts-tomsontalks fonts-tuffy fonts-ubuntu-title fonts-uralic fonts-vollkorn
  fonts-yanone-kaffeesatz fonts-yrsa-rasa"
[ "${1:-}" = --all-typefaces ] && packages="$packages $typefaces"
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
