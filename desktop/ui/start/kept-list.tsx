import { Button } from "../components/button.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

/** A change that was saved, and how to undo it. */
export interface KeptItem {
	key: string;
	name: string;
	price: number | null;
	undo(): Promise<unknown>;
}

/** What was added from the shelf, the newest first; the newest can be undone. */
export function KeptList({
	kept,
	onUndo,
}: {
	kept: readonly KeptItem[];
	onUndo(last: KeptItem): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const [last] = kept;
	if (!last) return null;
	return (
		<section>
			<h2 role="status">{say("shelf.kept", { count: kept.length })}</h2>
			<ul className="shelf-list">
				{kept.map((one) => (
					<li key={one.key}>
						<span className="grow">{one.name}</span>
						{one === last && (
							<Button
								kind="quiet"
								size="s"
								aria-label={say("shelf.undo", { name: one.name })}
								onClick={() => onUndo(one)}
							>
								{say("app.undo")}
							</Button>
						)}
						<b className="amount">
							{one.price === null ? "–" : format.figure(one.price)}
						</b>
					</li>
				))}
			</ul>
		</section>
	);
}
