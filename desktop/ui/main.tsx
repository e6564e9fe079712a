import "./theme/tokens.css";
import "./theme/base.css";
import "./app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { reloadIfServed } from "./frame/reload.ts";
import { words } from "./pages.ts";
import { showAppearance } from "./theme/appearance.ts";
import { openWords } from "./words/index.ts";

// Only secure addresses have service workers; without one the app needs its server to open, but not to sell.
navigator.serviceWorker
	?.register("/service-worker.js")
	.catch((error) => console.error("Can't save the app for offline use", error));

// A chunk of an old build is gone from the server; the new build's page knows its own chunks.
addEventListener("vite:preloadError", () => void reloadIfServed());

// A page restored from the back/forward cache has closed its storage: start over.
addEventListener("pageshow", ({ persisted }) => {
	if (persisted) location.reload();
});

// Not an `await` of the module: chunks that wait for this one would each become a separate file.
void openWords(words).then(() => {
	showAppearance();
	createRoot(document.getElementById("app") as HTMLElement).render(
		<StrictMode>
			<App />
		</StrictMode>,
	);
});
