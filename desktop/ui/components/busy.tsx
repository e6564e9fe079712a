import { useWords } from "../words/index.ts";
import "./busy.css";

/** Shown where something is loading. */
export function Busy() {
	const { say } = useWords();
	return (
		<span className="busy" role="status" aria-label={say("app.loading")} />
	);
}
