import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";

/** The web app: `desktop/ui` becomes `desktop/dist`, which the server sends as it is. */
export default defineConfig({
	root: `${import.meta.dirname}/ui`,
	build: {
		outDir: `${import.meta.dirname}/dist`,
		emptyOutDir: true,
		target: "es2022",
		chunkSizeWarningLimit: 900,
		// The names of the sources tell a reader of a stack trace enough.
		sourcemap: false,
	},
	plugins: [
		react(),
		VitePWA({
			registerType: "autoUpdate",
			injectRegister: false,
			includeAssets: ["icon.svg"],
			manifest: {
				name: "Counterfoil",
				short_name: "Counterfoil",
				description: "A point of sale that goes on selling offline",
				start_url: "/",
				display: "standalone",
				background_color: "#ffffff",
				theme_color: "#1d6f42",
				icons: [
					{
						src: "icon.svg",
						sizes: "any",
						type: "image/svg+xml",
						purpose: "any",
					},
				],
			},
			workbox: {
				globPatterns: ["**/*.{js,css,html,svg,woff2}"],
				navigateFallback: "/index.html",
				// What the server makes is never the app's page.
				navigateFallbackDenylist: [/^\/api\//, /^\/v1\//, /^\/healthz/],
			},
		}),
	],
});
