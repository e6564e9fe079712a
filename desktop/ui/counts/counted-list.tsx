import { useFormat } from "../format.ts";
import { useMayManage } from "../session.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import type { Look } from "./counting.tsx";
import { DifferenceTag } from "./difference-tag.tsx";

/** What was counted, the newest first, and what was only looked at. Owners and managers see what differs. */
export function CountedList({
	id,
	looks,
	onResume,
}: {
	id: string;
	looks: readonly Look[];
	/** Absent once nothing changes any more. */
	onResume?(look: Look): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const mayManage = useMayManage();
	const { data } = useAnswer(
		"count.differences",
		{ id },
		{ enabled: mayManage },
	);
	const lines = new Map(data?.lines.map((line) => [line.productId, line]));
	const shown = newestOf(looks);
	const counted = shown.filter((look) => look.counted !== null).length;
	return (
		<section className="leaf counted-list">
			<div className="counted-head">
				<h2>{say("counts.counted")}</h2>
				<span className="muted text-s">{counted}</span>
			</div>
			<ul>
				{shown.map((look) => {
					const line = lines.get(look.productId);
					const words = (
						<>
							<span className="grow counts-words">
								<span>
									{look.name ?? look.productId}
									{look.shelf !== null && ` · ${look.shelf}`}
								</span>
								<span className="muted text-s">
									{[format.time(look.lookedAt), look.lookedBy]
										.filter(Boolean)
										.join(" · ")}
								</span>
							</span>
							{look.counted === null ? (
								<span className="muted text-s">{say("counts.notYet")}</span>
							) : (
								<b className="figure">{format.quantity(look.counted)}</b>
							)}
							{line && look.counted !== null && (
								<DifferenceTag difference={line.difference} />
							)}
						</>
					);
					return (
						<li key={look.id}>
							{onResume ? (
								<button type="button" onClick={() => onResume(look)}>
									{words}
								</button>
							) : (
								<div>{words}</div>
							)}
						</li>
					);
				})}
			</ul>
		</section>
	);
}

/** Of several looks at one shelf the newest that has a number, or else the newest. @param looks the newest first */
function newestOf(looks: readonly Look[]): Look[] {
	const keyOf = ({ productId, shelf }: Look) => `${productId} ${shelf}`;
	const found = new Map<string, Look>();
	for (const look of looks) {
		const newer = found.get(keyOf(look));
		if (!newer || (newer.counted === null && look.counted !== null))
			found.set(keyOf(look), look);
	}
	return [...found.values()];
}
