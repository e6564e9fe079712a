import { useForm } from "@mantine/form";
import { Shapes, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { v7 as newId } from "uuid";
import type { Category } from "../../../sync/entities/category.ts";
import type { Queries } from "../../../sync/queries/index.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { offerUndo } from "../components/undo.tsx";
import { useShop } from "../session.tsx";
import type { ShopClient } from "../shop/client.ts";
import { createOnce } from "../shop/create-once.ts";
import { useCategories } from "../shop/use-shop-data.ts";
import { TaxSelect } from "../taxes/tax-select.tsx";
import { useWords } from "../words/index.ts";

const pageSize = 500;

/** Adds, renames and removes categories, also offline. */
export function Categories() {
	const { say } = useWords();
	const { shop } = useShop();
	const categories = useCategories();
	const { attempt, problem, isBusy } = useAttempt();
	// Blur renames a category while its delete button is being pressed.
	const renaming = useAttempt();
	const [isOpen, setOpen] = useState(false);

	const form = useForm({ initialValues: { name: "" } });
	/** Of the next category, which a retry makes once. */
	const fresh = useRef(newId());

	async function add({ name }: typeof form.values): Promise<void> {
		if (name.trim() === "") return;
		await attempt(async () => {
			const id = fresh.current;
			await createOnce(shop, "category", { id, name: name.trim() });
			fresh.current = newId();
			form.reset();
		});
	}

	async function rename(id: string, was: string, name: string): Promise<void> {
		if (name.trim() === "" || name === was) return;
		await renaming.attempt(() =>
			shop.mutate("category.update", { id, set: { name } }),
		);
	}

	async function tax(id: string, taxClass: string | null): Promise<void> {
		await attempt(() =>
			shop.mutate("category.update", { id, set: { taxClass } }),
		);
	}

	async function remove({
		id,
		name,
		sortOrder,
		taxClass,
	}: Category): Promise<void> {
		let members: string[] = [];
		const isRemoved = await attempt(async () => {
			members = await readMembers(shop, id);
			await shop.mutate("category.delete", { id });
		});
		if (!isRemoved) return;
		offerUndo(say("products.categoryRemoved", { name }), async () => {
			// A deleted record's id can't be used again.
			const again = newId();
			await shop.mutate("category.create", {
				...{ id: again, name, sortOrder },
				...(taxClass && { taxClass }),
			});
			for (const id of members)
				await shop.mutate("product.update", {
					id,
					set: { categoryId: again },
				});
		});
	}

	return (
		<>
			<Button onClick={() => setOpen(true)}>
				<Shapes size={18} aria-hidden />
				<span className="btn-word">{say("products.categories")}</span>
			</Button>
			{isOpen && (
				<Sheet
					title={say("products.categories")}
					onClose={() => setOpen(false)}
				>
					{problem}
					{renaming.problem}
					{/* Above the list, so that a new row doesn't move a delete button under the second click of a double click. */}
					<form className="category-add" onSubmit={form.onSubmit(add)}>
						<TextField
							{...form.getInputProps("name")}
							value={form.values.name}
							label={say("products.addCategory")}
							maxLength={200}
						/>
						<Button kind="ink" type="submit" isBusy={isBusy}>
							{say("app.save")}
						</Button>
					</form>
					{categories.map((category) => {
						const { id, name, taxClass = null } = category;
						return (
							<div className="row-flex" key={`${id} ${name}`}>
								<input
									className="input grow"
									aria-label={name}
									defaultValue={name}
									maxLength={200}
									onBlur={(event) =>
										rename(id, name, event.currentTarget.value)
									}
								/>
								<TaxSelect
									label={say("taxes.ofCategory", { name })}
									isLabelHidden
									value={taxClass}
									none={say("taxes.asShop")}
									onChange={(code) => tax(id, code)}
								/>
								<IconButton
									isDanger
									label={say("products.removeCategory", { name })}
									onClick={() => remove(category)}
								>
									<Trash2 size={18} aria-hidden />
								</IconButton>
							</div>
						);
					})}
				</Sheet>
			)}
		</>
	);
}

/** The ids of all products in a category, including discontinued ones. */
async function readMembers(
	shop: ShopClient,
	categoryId: string,
): Promise<string[]> {
	const ids: string[] = [];
	let after: string | null = null;
	do {
		const page: Queries["product.list"]["answer"] = await shop.ask(
			"product.list",
			{
				categoryId,
				show: "all",
				limit: pageSize,
				...(after !== null && { after }),
			},
		);
		ids.push(...page.rows.map(({ id }) => id));
		after = page.next;
	} while (after !== null);
	return ids;
}
