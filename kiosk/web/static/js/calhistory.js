// States that can be taken back and brought back.

export class History {
  constructor(first) {
    this.past = [];
    this.now = first;
    this.future = [];
  }

  push(state) {
    if (JSON.stringify(state) === JSON.stringify(this.now)) return;
    this.past = [...this.past.slice(-99), this.now];
    this.now = state;
    this.future = [];
  }

  undo() {
    if (!this.past.length) return;
    this.future = [this.now, ...this.future];
    this.now = this.past.at(-1);
    this.past = this.past.slice(0, -1);
  }

  redo() {
    if (!this.future.length) return;
    this.past = [...this.past, this.now];
    [this.now, ...this.future] = this.future;
  }
}
