import { schemaResolver, useForm } from "@mantine/form";
import { useRef } from "react";
import { v7 as newId } from "uuid";
import {
	type Customer,
	customerCreate,
} from "../../../sync/entities/customer.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { TextArea } from "../components/text-area.tsx";
import { offerUndo } from "../components/undo.tsx";
import { useMayManage, useShop } from "../session.tsx";
import { createOnce } from "../shop/create-once.ts";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { SamePhone } from "./same-phone.tsx";

const check = schemaResolver(customerCreate.args.omit({ id: true }), {
	sync: true,
});

/** A customer, new or changed, checked as the server checks it. */
export function CustomerForm({
	customer,
	onDone,
	onRemoved,
}: {
	customer: Customer | undefined;
	onDone(id: string): void;
	onRemoved?(): void;
}) {
	const { say } = useWords();
	const { shop, session } = useShop();
	const isOwner = session.role === "OWNER";
	const mayManage = useMayManage();
	const kept = useRows(
		"layaway.list",
		{ customerId: customer?.id ?? "" },
		{ enabled: customer !== undefined },
	);
	const owesNothing = customer?.balance === 0;
	const isFree = kept.isSuccess && kept.rows.length === 0;
	const { attempt, problem, isBusy } = useAttempt();
	const form = useForm({
		initialValues: {
			...{ ...fieldsOf(customer), limit: limitOf(customer), owed: "" },
		},
		validate: (fields) => check(toSet(fields)),
	});

	/** A retry writes under the same ids. */
	const ids = useRef({ customer: newId(), owed: newId() });

	/** Writes down a new customer, with what they owe from before. */
	async function create(fields: Fields & { owed: string }): Promise<void> {
		const { customer: id, owed: owedId } = ids.current;
		await createOnce(shop, "customer", { id, ...toSet(fields) });
		const amount = decimalOf(fields.owed) ?? 0;
		const reason = say("customers.owedBefore");
		if (amount > 0)
			await shop.mutate(
				"payment.adjust",
				{ id: owedId, customerId: id, amount, reason },
				{ id: owedId },
			);
	}

	async function save(
		fields: Fields & { limit: string; owed: string },
	): Promise<void> {
		const set = toSet(fields);
		const id = customer?.id ?? ids.current.customer;
		const isSaved = await attempt(async () => {
			if (!customer) await create(fields);
			// Another till may have changed the fields that were not touched here.
			const changed = Object.fromEntries(
				Object.entries(set).filter(([field]) => form.isDirty(field)),
			);
			if (customer && Object.keys(changed).length > 0)
				await shop.mutate("customer.update", { id, set: changed });
			if (form.isDirty("limit")) {
				const creditLimit = decimalOf(fields.limit) ?? null;
				await shop.mutate("customer.limit", { id, creditLimit });
			}
		});
		if (isSaved) onDone(id);
	}

	async function remove(removed: Customer): Promise<void> {
		const { id, name } = removed;
		if (!(await attempt(() => shop.mutate("customer.delete", { id })))) return;
		onRemoved?.();
		// The id of a removed record can't be used again.
		offerUndo(say("customers.removed", { name }), async () => {
			const id = newId();
			await shop.mutate("customer.create", {
				...{ id, ...toSet(fieldsOf(removed)) },
			});
			const { creditLimit } = removed;
			if (creditLimit !== null)
				await shop.mutate("customer.limit", { id, creditLimit });
		});
	}

	async function erase({ id }: Customer): Promise<void> {
		const isErased = await attempt(() => shop.mutate("customer.erase", { id }));
		if (isErased) onDone(id);
	}

	return (
		<form className="column-flex" onSubmit={form.onSubmit(save)}>
			{problem}
			<TextField
				{...form.getInputProps("name")}
				value={form.values.name}
				label={say("customers.name")}
				required
				maxLength={200}
				data-autofocus
			/>
			<TextField
				{...form.getInputProps("phone")}
				value={form.values.phone}
				label={say("customers.phone")}
				type="tel"
				maxLength={40}
			/>
			{!customer && (
				<SamePhone
					phone={form.values.phone}
					onChoose={({ id }) => onDone(id)}
				/>
			)}
			<TextArea
				{...form.getInputProps("note")}
				value={form.values.note}
				label={say("customers.note")}
				maxLength={2_000}
			/>
			{mayManage && (
				<DecimalField
					{...form.getInputProps("limit")}
					value={form.values.limit}
					label={say("customers.limit")}
					placeholder={say("customers.noLimit")}
				/>
			)}
			{mayManage && !customer && (
				<DecimalField
					{...form.getInputProps("owed")}
					value={form.values.owed}
					label={say("customers.owesAlready")}
					placeholder="0"
				/>
			)}
			{customer && isOwner && customer.erasedAt === undefined && (
				<ConfirmButton
					label={say("customers.erase")}
					question={say("customers.eraseAsked")}
					onConfirm={() => erase(customer)}
				/>
			)}
			<div className="sheet-foot">
				{/* Whoever owes stays in sight, or their debt would be forgotten; what is kept needs somebody who pays. */}
				{customer && mayManage && owesNothing && isFree && (
					<Button size="l" isDanger onClick={() => remove(customer)}>
						{say("customers.remove")}
					</Button>
				)}
				<Button type="submit" kind="ink" size="l" isBusy={isBusy}>
					{say("app.save")}
				</Button>
			</div>
		</form>
	);
}

type Fields = ReturnType<typeof fieldsOf>;

function fieldsOf(customer: Customer | undefined) {
	return {
		name: customer?.name ?? "",
		phone: customer?.phone ?? "",
		note: customer?.note ?? "",
	};
}

function limitOf(customer: Customer | undefined): string {
	return customer?.creditLimit == null ? "" : String(customer.creditLimit);
}

function toSet(fields: Fields) {
	return {
		name: fields.name.trim(),
		phone: fields.phone.trim() || null,
		note: fields.note.trim() || null,
	};
}
