import { schemaResolver, useForm } from "@mantine/form";
import { useRef } from "react";
import { v7 as newId } from "uuid";
import {
	type Supplier,
	supplierCreate,
} from "../../../sync/entities/supplier.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { TextArea } from "../components/text-area.tsx";
import { useShop } from "../session.tsx";
import { createOnce } from "../shop/create-once.ts";
import { useWords } from "../words/index.ts";

const check = schemaResolver(supplierCreate.args.omit({ id: true }), {
	sync: true,
});

/** A supplier, new or changed, checked as the server checks it. */
export function SupplierForm({
	supplier,
	onDone,
	onRemoved,
}: {
	supplier: Supplier | undefined;
	onDone(id: string): void;
	onRemoved?(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	/** A retry writes under the same id. */
	const { current: fresh } = useRef(newId());
	const form = useForm({
		initialValues: {
			name: supplier?.name ?? "",
			phone: supplier?.phone ?? "",
			note: supplier?.note ?? "",
		},
		validate: (fields) => check(toSet(fields)),
	});

	async function save(fields: typeof form.values): Promise<void> {
		const set = toSet(fields);
		const id = supplier?.id ?? fresh;
		const isSaved = await attempt(() => {
			if (!supplier) return createOnce(shop, "supplier", { id, ...set });
			// Another till may have changed the fields that were not touched here.
			const changed = Object.entries(set).filter(([field]) =>
				form.isDirty(field),
			);
			return shop.mutate("supplier.update", {
				...{ id, set: Object.fromEntries(changed) },
			});
		});
		if (isSaved) onDone(id);
	}

	async function remove(id: string): Promise<void> {
		if (await attempt(() => shop.mutate("supplier.delete", { id })))
			onRemoved?.();
	}

	return (
		<form className="column-flex" onSubmit={form.onSubmit(save)}>
			{problem}
			<TextField
				{...form.getInputProps("name")}
				value={form.values.name}
				label={say("suppliers.name")}
				required
				maxLength={200}
				data-autofocus
			/>
			<TextField
				{...form.getInputProps("phone")}
				value={form.values.phone}
				label={say("suppliers.phone")}
				type="tel"
				maxLength={40}
			/>
			<TextArea
				{...form.getInputProps("note")}
				value={form.values.note}
				label={say("suppliers.note")}
				maxLength={2_000}
			/>
			<div className="sheet-foot">
				{/* A debt stays in sight, or it would be forgotten. */}
				{supplier?.balance === 0 && (
					<Button size="l" isDanger onClick={() => remove(supplier.id)}>
						{say("suppliers.remove")}
					</Button>
				)}
				<Button type="submit" kind="ink" size="l" isBusy={isBusy}>
					{say("app.save")}
				</Button>
			</div>
		</form>
	);
}

function toSet(fields: { name: string; phone: string; note: string }) {
	return {
		name: fields.name.trim(),
		phone: fields.phone.trim() || null,
		note: fields.note.trim() || null,
	};
}
