// A number pad or keyboard in place of the button panel: which key is which of its buttons
// (the same table as firmware_bridge/keyboard.py).

const BUTTONS = {
  1: "box1",
  2: "box2",
  3: "box3",
  4: "box4",
  5: "box5",
  6: "box6",
  "+": "plus",
  "-": "minus",
  7: "bet",
  8: "fold",
  9: "sixth",
  0: "exchange",
  Enter: "confirm",
  "*": "reveal",
  "/": "next",
  ".": "hold",
  ",": "hold",
};

// The button of a key, or null. Enter beside the letters first confirms what the page offers.
export function panelButton(event, pageConfirms) {
  if (event.code === "Enter" && pageConfirms) return null;
  return Object.hasOwn(BUTTONS, event.key) ? BUTTONS[event.key] : null;
}
