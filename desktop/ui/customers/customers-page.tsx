import { useDebouncedValue } from "@mantine/hooks";
import { NotebookText, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { SearchField } from "../components/search-field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { LayawayList } from "../layaways/layaway-list.tsx";
import { useAnswer, useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { Balance } from "./balance.tsx";
import { CustomerForm } from "./customer-form.tsx";
import { CustomerSheet } from "./customer-sheet.tsx";
import "../components/page-head.css";
import "./customers.css";

const shown = ["all", "owing", "keeping"] as const;

/** The shop's customers and what they owe: listed, added, changed and collected from, also offline. */
export default function Customers() {
	const { say } = useWords();
	const format = useFormat();
	const [words, setWords] = useState("");
	const [search] = useDebouncedValue(words.trim(), 120);
	const [show, setShow] = useState<(typeof shown)[number]>("all");
	const [opened, open] = useState<string>();
	const [isAdding, setAdding] = useState(false);
	const totals = useAnswer("customer.totals", {}).data;
	const isKept = show === "keeping";
	const list = useRows("customer.list", {
		show: isKept ? "all" : show,
		...(search !== "" && { search }),
	});
	const isNarrowed = search !== "" || show !== "all";
	const add = () => setAdding(true);
	return (
		<section className="page">
			<div className="page-head">
				<div>
					<h1>{say("customers.title")}</h1>
					{totals && totals.owed > 0 && (
						<p className="muted">
							{say("customers.owed", {
								count: totals.owing,
								amount: format.money(totals.owed),
							})}
						</p>
					)}
				</div>
				<div className="page-actions">
					<Button kind="ink" onClick={add}>
						<Plus size={18} aria-hidden />
						<span className="btn-word">{say("customers.add")}</span>
					</Button>
				</div>
			</div>
			<LoadError error={list.error} />
			<div className="customers-tools">
				{!isKept && (
					<SearchField
						value={words}
						placeholder={say("customers.search")}
						onChange={setWords}
					/>
				)}
				<Chips
					label={say("customers.show")}
					value={show}
					onChange={(chosen) => setShow(chosen)}
					choices={shown.map((value) => ({
						value,
						label: say(`customers.${value}`),
					}))}
				/>
			</div>
			{isKept && <LayawayList />}
			{!isKept && list.isSuccess && list.rows.length === 0 && (
				<Empty
					Icon={NotebookText}
					hue={7}
					title={say(isNarrowed ? "customers.noneFound" : "customers.none")}
				>
					{isNarrowed ? (
						<Button
							onClick={() => {
								setWords("");
								setShow("all");
							}}
						>
							{say("customers.showAll")}
						</Button>
					) : (
						<Button kind="ink" onClick={add}>
							{say("customers.add")}
						</Button>
					)}
				</Empty>
			)}
			<div className="customers-list">
				{(isKept ? [] : list.rows).map((customer) => (
					<Button key={customer.id} isWide onClick={() => open(customer.id)}>
						<span className="grow picker-name">
							<b>{customer.name}</b>
							<span className="muted text-s">
								{[customer.phone, customer.note].filter(Boolean).join(" · ")}
							</span>
						</span>
						<Balance balance={customer.balance} />
					</Button>
				))}
			</div>
			{!isKept && <MoreButton list={list} />}
			{opened !== undefined && (
				<CustomerSheet id={opened} onClose={() => open(undefined)} />
			)}
			{isAdding && (
				<Sheet
					title={say("customers.add")}
					mayCloseByTap={false}
					onClose={() => setAdding(false)}
				>
					<CustomerForm
						customer={undefined}
						onDone={(id) => {
							setAdding(false);
							open(id);
						}}
					/>
				</Sheet>
			)}
		</section>
	);
}
