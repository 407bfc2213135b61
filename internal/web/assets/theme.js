// The color scheme that the reader has chosen, before anything is painted.
(() => {
  let theme = null;
  try { theme = localStorage.getItem("docent-theme"); } catch { /* no storage: the system decides */ }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
