// The live picture of the camera being set up: one still after another, the newest only.

const PAUSE_MS = 350;
const AGAIN_MS = 1500;

export class LivePicture {
  constructor(image, onSize) {
    this.image = image;
    this.onSize = onSize;
    this.number = 0;
    this.held = false;
    this.ended = false;
    image.addEventListener("load", () => {
      if (this.ended) return;
      this.onSize(image.naturalWidth, image.naturalHeight);
      this.later(PAUSE_MS);
    });
    image.addEventListener("error", () => this.later(AGAIN_MS));
    this.next();
  }

  next() {
    if (this.ended || !this.image.isConnected) return;
    if (this.held || document.hidden) {
      this.later(PAUSE_MS);
      return;
    }
    this.number += 1;
    this.image.src = `/api/v1/calibrate/picture.jpg?n=${this.number}`;
  }

  later(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.next(), wait);
  }

  // While a finger lies on it the picture stands still.
  hold(held) {
    this.held = held;
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
  }
}
