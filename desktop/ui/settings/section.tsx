import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Panel } from "../components/panel.tsx";
import { useWords } from "../words/index.ts";

/** A section whose fields are saved as they are typed. */
export function SavedSection({
	title,
	isSaved,
	children,
}: {
	title: string;
	/** Whether a change made here was saved. */
	isSaved: boolean;
	children: ReactNode;
}) {
	const { say } = useWords();
	return (
		<Panel
			title={title}
			aside={
				<span className="settings-saved text-s muted" role="status">
					{isSaved && <Check size={18} aria-hidden />}
					{say(isSaved ? "products.saved" : "settings.asYouType")}
				</span>
			}
		>
			{children}
		</Panel>
	);
}
