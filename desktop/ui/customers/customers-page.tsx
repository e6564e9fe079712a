import { Plus } from "lucide-react";
import { useState } from "react";
import type { Customer } from "../../../sync/entities/customer.ts";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useMayManage } from "../session.tsx";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { CustomerForm } from "./customer-form.tsx";
import "../components/page-head.css";

/** The shop's customers by name: listed, added and changed, also offline. */
export default function Customers() {
	const { say } = useWords();
	const mayManage = useMayManage();
	const [edited, setEdited] = useState<Customer | "new">();
	const list = useRows("customer.list", {});
	return (
		<section className="page">
			<div className="page-head">
				<h1>{say("customers.title")}</h1>
				{mayManage && (
					<Button kind="ink" onClick={() => setEdited("new")}>
						<Plus size={18} aria-hidden />
						{say("customers.add")}
					</Button>
				)}
			</div>
			<LoadError error={list.error} />
			{list.isSuccess && list.rows.length === 0 && (
				<p className="muted">{say("customers.none")}</p>
			)}
			{list.rows.map((customer) => (
				<Button
					key={customer.id}
					isWide
					disabled={!mayManage}
					onClick={() => setEdited(customer)}
				>
					<span className="strong">{customer.name}</span>
					<span className="text-s muted">{customer.note}</span>
				</Button>
			))}
			{list.hasNextPage && (
				<Button
					isBusy={list.isFetchingNextPage}
					onClick={() => list.fetchNextPage()}
				>
					{say("app.more")}
				</Button>
			)}
			{edited !== undefined && (
				<Sheet
					title={say(edited === "new" ? "customers.add" : "customers.edit")}
					mayCloseByTap={false}
					onClose={() => setEdited(undefined)}
				>
					<CustomerForm
						customer={edited === "new" ? undefined : edited}
						onDone={() => setEdited(undefined)}
					/>
				</Sheet>
			)}
		</section>
	);
}
