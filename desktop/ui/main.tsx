import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { words } from "./pages.ts";
import { styleNonce } from "./style-nonce.ts";
import { openWords } from "./words/index.ts";

// Browsers have it on secure addresses only; without it the app needs its server to open, and not to sell.
navigator.serviceWorker
	?.register("/service-worker.js")
	.catch((error) =>
		console.error("The app is not kept for offline use", error),
	);

// A part of a build that is gone from the server: the page of the new build knows its own.
addEventListener("vite:preloadError", () => location.reload());

// A page that is brought back from the browser's memory has let go of its storage: it begins anew.
addEventListener("pageshow", ({ persisted }) => {
	if (persisted) location.reload();
});

// Mantine's menus and dialogs insert styles while they are open and read their nonce from webpack's global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

openWords(words);

createRoot(document.getElementById("app") as HTMLElement).render(
	<StrictMode>
		<App />
	</StrictMode>,
);
