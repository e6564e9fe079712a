import { PackageCheck } from "lucide-react";
import { useState } from "react";
import type { Layaway } from "../../../sync/entities/layaway.ts";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { useFormat } from "../format.ts";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { LayawaySheet } from "./layaway-sheet.tsx";
import { Progress } from "./progress.tsx";

/** The goods that are kept for customers, or for one: what is due first comes first. */
export function LayawayList({ customerId }: { customerId?: string }) {
	const { say } = useWords();
	const [opened, open] = useState<string>();
	const list = useRows("layaway.list", {
		...(customerId !== undefined && { customerId }),
	});
	return (
		<>
			<LoadError error={list.error} />
			{customerId === undefined && list.isSuccess && list.rows.length === 0 && (
				<Empty Icon={PackageCheck} hue={7} title={say("layaways.none")} />
			)}
			{customerId !== undefined && list.rows.length > 0 && (
				<h3 className="muted">{say("layaways.title")}</h3>
			)}
			<div className="customers-list">
				{list.rows.map((layaway) => (
					<Entry key={layaway.id} layaway={layaway} onOpen={open} />
				))}
			</div>
			<MoreButton list={list} />
			{opened !== undefined && (
				<LayawaySheet id={opened} onClose={() => open(undefined)} />
			)}
		</>
	);
}

function Entry({
	layaway,
	onOpen,
}: {
	layaway: Layaway;
	onOpen(id: string): void;
}) {
	const format = useFormat();
	const { id, customerName, items, total } = layaway;
	return (
		<Button isWide onClick={() => onOpen(id)}>
			<span className="grow picker-name">
				<b>
					{[customerName, items.map(({ name }) => name).join(", ")]
						.filter(Boolean)
						.join(" · ")}
				</b>
				<Progress layaway={layaway} />
			</span>
			<span className="figure strong">{format.money(total)}</span>
		</Button>
	);
}
