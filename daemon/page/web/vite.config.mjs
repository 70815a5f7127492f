// `npm run dev` shows the page with changes as they are made; calls go to a daemon whose
// metrics.address is in WASMBURST_PAGE (127.0.0.1:9464).
import { defineConfig } from "vite";

const daemon = `http://${process.env.WASMBURST_PAGE ?? "127.0.0.1:9464"}`;

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: daemon, changeOrigin: true, headers: { origin: daemon } } },
  },
});
