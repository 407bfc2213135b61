// Applies the color scheme that the reader has chosen before anything is painted, and sets up the button that changes it.
(() => {
  let theme = null;
  try { theme = localStorage.getItem("docent-theme"); } catch { /* no storage: the system decides */ }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (button) {
      const names = { "": "system", light: "light", dark: "dark" };
      const signs = { "": "◐", light: "☀", dark: "☾" };
      const paint = (theme) => {
        if (theme) document.documentElement.dataset.theme = theme;
        else delete document.documentElement.dataset.theme;
        button.textContent = signs[theme];
        button.setAttribute("aria-label", "Color scheme: " + names[theme]);
        button.title = "Color scheme: " + names[theme];
      };
      paint(document.documentElement.dataset.theme || "");
      button.hidden = false;
      button.addEventListener("click", () => {
        const order = ["", "light", "dark"];
        const next = order[(order.indexOf(document.documentElement.dataset.theme || "") + 1) % 3];
        paint(next);
        try {
          if (next) localStorage.setItem("docent-theme", next);
          else localStorage.removeItem("docent-theme");
        } catch { /* no storage: the choice lasts for this page */ }
      });
    }
  });
})();
