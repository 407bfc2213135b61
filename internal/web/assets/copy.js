// Adds buttons that copy blocks of code and report it in the page's status.
globalThis.docentCopyButtons = (root, selector) => {
  if (!navigator.clipboard) return;
  for (const block of root.querySelectorAll(selector)) {
    if (block.parentElement.className === "frame") continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent.trimEnd() + "\n");
      button.textContent = "Copied";
      document.getElementById("status").textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    const frame = document.createElement("div");
    frame.className = "frame";
    block.replaceWith(frame);
    frame.append(block, button);
  }
};
