import { Plus, Truck } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { Delivery } from "../../../sync/entities/delivery.ts";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Balance } from "../customers/balance.tsx";
import { useFormat } from "../format.ts";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { DeliverySheet } from "./delivery-sheet.tsx";
import { Receive } from "./receive.tsx";
import { SupplierForm } from "./supplier-form.tsx";
import { SupplierSheet } from "./supplier-sheet.tsx";
import "../components/page-head.css";
import "../customers/customers.css";
import "./suppliers.css";

const shown = ["deliveries", "suppliers"] as const;

/** What suppliers brought and are owed, or the delivery that is being received: a reload goes on with it. */
export default function Deliveries() {
	const isNew = new URLSearchParams(useSearch()).has("new");
	const [, navigate] = useLocation();
	// Who has gone to another page meanwhile stays there.
	const leave = () =>
		location.pathname === "/deliveries" && navigate("/deliveries");
	return isNew ? <Receive onDone={leave} /> : <Lists />;
}

function Lists() {
	const { say } = useWords();
	const [show, setShow] = useState<(typeof shown)[number]>("deliveries");
	return (
		<section className="page">
			<div className="page-head">
				<h1>{say("suppliers.deliveries")}</h1>
				<Link className="btn btn-ink" href="/deliveries?new">
					<Plus size={18} aria-hidden />
					{say("suppliers.receive")}
				</Link>
			</div>
			<div className="customers-tools">
				<Chips
					label={say("suppliers.show")}
					value={show}
					onChange={(chosen) => setShow(chosen)}
					choices={shown.map((value) => ({
						value,
						label: say(`suppliers.${value}`),
					}))}
				/>
			</div>
			{show === "deliveries" ? <DeliveryList /> : <SupplierList />}
		</section>
	);
}

function DeliveryList() {
	const { say } = useWords();
	const [opened, open] = useState<Delivery>();
	const list = useRows("delivery.list", {});
	return (
		<>
			<LoadError error={list.error} />
			{list.isSuccess && list.rows.length === 0 && (
				<Empty Icon={Truck} hue={4} title={say("suppliers.none")} />
			)}
			<div className="customers-list">
				{list.rows.map((one) => (
					<DeliveryRow key={one.id} delivery={one} onOpen={() => open(one)} />
				))}
			</div>
			<MoreButton list={list} />
			{opened && (
				<DeliverySheet delivery={opened} onClose={() => open(undefined)} />
			)}
		</>
	);
}

function DeliveryRow({
	delivery: { supplierName, number, items, total, isReturn, createdAt },
	onOpen,
}: {
	delivery: Delivery;
	onOpen(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<Button isWide onClick={onOpen}>
			<span className="grow picker-name">
				<b>{supplierName ?? say("suppliers.nobody")}</b>
				<span className="muted text-s">
					{[
						isReturn && say("suppliers.sentBack"),
						format.moment(createdAt),
						number,
						say("suppliers.lines", { count: items.length }),
					]
						.filter(Boolean)
						.join(" · ")}
				</span>
			</span>
			<span className="figure strong">{format.figure(total)}</span>
		</Button>
	);
}

function SupplierList() {
	const { say } = useWords();
	const [opened, open] = useState<string>();
	const [isAdding, setAdding] = useState(false);
	const list = useRows("supplier.list", {});
	const addButton = (
		<Button onClick={() => setAdding(true)}>{say("suppliers.add")}</Button>
	);
	return (
		<>
			<LoadError error={list.error} />
			{list.isSuccess && list.rows.length === 0 ? (
				<Empty Icon={Truck} hue={4} title={say("suppliers.noSuppliers")}>
					{addButton}
				</Empty>
			) : (
				<div className="customers-list">
					{list.rows.map(({ id, name, phone, note, balance }) => (
						<Button key={id} isWide onClick={() => open(id)}>
							<span className="grow picker-name">
								<b>{name}</b>
								<span className="muted text-s">
									{[phone, note].filter(Boolean).join(" · ")}
								</span>
							</span>
							<Balance of="suppliers" balance={balance} />
						</Button>
					))}
					{addButton}
				</div>
			)}
			<MoreButton list={list} />
			{opened !== undefined && (
				<SupplierSheet id={opened} onClose={() => open(undefined)} />
			)}
			{isAdding && (
				<Sheet
					title={say("suppliers.add")}
					mayCloseByTap={false}
					onClose={() => setAdding(false)}
				>
					<SupplierForm
						supplier={undefined}
						onDone={(id) => {
							setAdding(false);
							open(id);
						}}
					/>
				</Sheet>
			)}
		</>
	);
}
