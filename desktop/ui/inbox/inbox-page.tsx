import { Inbox as InboxIcon } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "wouter";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { Dismissed } from "./dismissed.tsx";
import { GroupCard } from "./group-card.tsx";
import { SalesSheet } from "./sales-sheet.tsx";
import { useInboxCount } from "./use-inbox-count.ts";
import "./inbox.css";

/** What looked odd about recorded sales, by cause and product: each with what to do about it. */
export default function Inbox() {
	const { say } = useWords();
	const groups = useRows("inbox.groups", {});
	const count = useInboxCount();
	const [saleIds, setSaleIds] = useState<string[]>();
	const heading = useRef<HTMLHeadingElement>(null);
	return (
		<section className="page">
			<div>
				<h1 ref={heading} tabIndex={-1}>
					{say("app.inbox")}
				</h1>
				{count > 0 && (
					<p className="inbox-count muted text-s">
						{say("inbox.count", { count })}
					</p>
				)}
			</div>
			<LoadError error={groups.error} />
			{groups.isSuccess && groups.rows.length === 0 && (
				<Empty Icon={InboxIcon} hue={6} title={say("inbox.none")}>
					<Link className="btn btn-default" href="/">
						{say("sales.openTill")}
					</Link>
				</Empty>
			)}
			<ul className="inbox-groups">
				{groups.rows.map((group) => (
					<GroupCard
						key={`${group.cause} ${group.productId} ${group.saleId} ${group.shiftId}`}
						group={group}
						onSales={setSaleIds}
						// The button that had the focus goes with its row.
						onDone={() => heading.current?.focus()}
					/>
				))}
			</ul>
			<MoreButton list={groups} />
			<Dismissed />
			{saleIds && (
				<SalesSheet ids={saleIds} onClose={() => setSaleIds(undefined)} />
			)}
		</section>
	);
}
