import { Link } from "wouter";
import { useFormat } from "../format.ts";
import { useMayManage } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { CountedList } from "./counted-list.tsx";
import type { CountDetail } from "./counting.tsx";
import { Differences } from "./differences.tsx";

/** What a count found. What came after its closing can be taken over here. */
export function ClosedCount({ count, looks }: CountDetail) {
	const { say } = useWords();
	const format = useFormat();
	const mayManage = useMayManage();
	return (
		<section className="page">
			<div className="page-head">
				<div>
					<h1>{count.name}</h1>
					<p className="muted">
						{[
							say("counts.closedAt", {
								moment: format.moment(count.closedAt ?? ""),
							}),
							count.closedBy,
						]
							.filter(Boolean)
							.join(" · ")}
					</p>
				</div>
				<Link href="/counts" className="btn btn-default">
					{say("counts.title")}
				</Link>
			</div>
			{mayManage ? (
				<Differences id={count.id} />
			) : (
				<CountedList id={count.id} looks={looks} />
			)}
		</section>
	);
}
