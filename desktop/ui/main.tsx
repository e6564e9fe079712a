import "@mantine/core/styles.css";
import "./app.css";
import { registerSW } from "virtual:pwa-register";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

registerSW({ immediate: true });

// A page that is brought back from the browser's memory has let go of its storage: it begins anew.
addEventListener("pageshow", ({ persisted }) => {
	if (persisted) location.reload();
});

createRoot(document.getElementById("app") as HTMLElement).render(
	<StrictMode>
		<App />
	</StrictMode>,
);
