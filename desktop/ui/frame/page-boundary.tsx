import { CircleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/empty.tsx";
import { useWords } from "../words/index.ts";
import { reloadIfServed } from "./reload.ts";

/** Keeps the frame, and so the way to the till, when a page can't be loaded or drawn. Key it by the page. */
export class PageBoundary extends Component<
	{ children: ReactNode },
	{ hasFailed: boolean }
> {
	override state = { hasFailed: false };

	static getDerivedStateFromError() {
		return { hasFailed: true };
	}

	override render() {
		return this.state.hasFailed ? <FailedPage /> : this.props.children;
	}
}

function FailedPage() {
	const { say } = useWords();
	return (
		<Empty Icon={CircleAlert} hue={9} title={say("app.pageFailed")}>
			<p>{say("app.pageFailedWhy")}</p>
			<Button onClick={reloadIfServed}>{say("app.tryAgain")}</Button>
		</Empty>
	);
}
