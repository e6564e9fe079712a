import { ClipboardCheck } from "lucide-react";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { Queries } from "../../../sync/queries/index.ts";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { useAnswer, useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { ClosedCount } from "./closed-count.tsx";
import { Counting } from "./counting.tsx";
import { OpenForm } from "./open-form.tsx";
import "../components/page-head.css";
import "./counts.css";

type Count = Queries["count.get"]["answer"]["count"];

/** All counts, or the one that the address names: a reload goes on with it. */
export default function Counts() {
	const id = new URLSearchParams(useSearch()).get("id");
	return id === null ? <CountList /> : <OneCount key={id} id={id} />;
}

function OneCount({ id }: { id: string }) {
	const { data, error } = useAnswer("count.get", { id });
	if (!data) return <LoadError error={error} />;
	return data.count.closedAt === null ? (
		<Counting {...data} />
	) : (
		<ClosedCount {...data} />
	);
}

function CountList() {
	const { say } = useWords();
	const [, navigate] = useLocation();
	const [isOpening, setOpening] = useState(false);
	const list = useRows("count.list", {});
	const show = (id: string) =>
		navigate(`/counts?${new URLSearchParams({ id })}`);
	const openButton = (
		<Button kind="ink" onClick={() => setOpening(true)}>
			{say("counts.open")}
		</Button>
	);
	return (
		<section className="page">
			<div className="page-head">
				<h1>{say("counts.title")}</h1>
				{list.rows.length > 0 && openButton}
			</div>
			<LoadError error={list.error} />
			{list.isSuccess && list.rows.length === 0 && (
				<Empty Icon={ClipboardCheck} hue={4} title={say("counts.none")}>
					{openButton}
				</Empty>
			)}
			<div className="counts-list">
				{list.rows.map((count) => (
					<Row key={count.id} count={count} onOpen={() => show(count.id)} />
				))}
			</div>
			<MoreButton list={list} />
			{isOpening && (
				<Sheet
					title={say("counts.open")}
					mayCloseByTap={false}
					onClose={() => setOpening(false)}
				>
					<OpenForm onDone={show} />
				</Sheet>
			)}
		</section>
	);
}

function Row({ count, onOpen }: { count: Count; onOpen(): void }) {
	const { say } = useWords();
	const format = useFormat();
	const { name, openedAt, openedBy, closedAt, counted, waiting } = count;
	return (
		<Button isWide onClick={onOpen}>
			<span className="grow counts-words">
				<b>{name}</b>
				<span className="muted text-s">
					{[
						format.moment(openedAt),
						openedBy,
						say("counts.products", { count: counted }),
					]
						.filter(Boolean)
						.join(" · ")}
				</span>
			</span>
			{closedAt === null && <Tag>{say("counts.isOpen")}</Tag>}
			{closedAt !== null && waiting > 0 && (
				<Tag tone="attention">{say("counts.waiting", { count: waiting })}</Tag>
			)}
			{closedAt !== null && waiting === 0 && (
				<Tag tone="money">{say("counts.isClosed")}</Tag>
			)}
		</Button>
	);
}
