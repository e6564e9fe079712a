import {
	ActionIcon,
	Button,
	Group,
	Modal,
	Stack,
	TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { v7 as newId } from "uuid";
import type { Category } from "../../../sync/entities/category.ts";
import { useAttempt } from "../parts/attempt.tsx";
import { useUndo } from "../parts/undo.tsx";
import { useLocal, useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

/** The categories by which goods are found: added, renamed and removed, also offline. */
export function Categories() {
	const { say } = useWords();
	const { local: shop } = useShop();
	const { catalogue } = useLocal();
	const { categories } = catalogue;
	const offerUndo = useUndo();
	const { attempt, problem, isBusy } = useAttempt();
	const [isOpen, setOpen] = useState(false);

	const form = useForm({ initialValues: { name: "" } });

	async function add({ name }: typeof form.values): Promise<void> {
		if (name.trim() === "") return;
		const isAdded = await attempt(async () => {
			await shop.mutate("category.create", () => ({
				id: newId(),
				name: name.trim(),
			}));
			form.reset();
		});
		if (isAdded) await shop.sync();
	}

	async function rename(id: string, was: string, name: string): Promise<void> {
		if (name.trim() === "" || name === was) return;
		await shop.mutate("category.update", () => ({ id, set: { name } }));
		await shop.sync();
	}

	async function remove({ id, name, sortOrder }: Category): Promise<void> {
		const members = [...catalogue.byId.values()].filter(
			({ categoryId }) => categoryId === id,
		);
		await shop.mutate("category.delete", () => ({ id }));
		offerUndo(say("products.categoryRemoved", { name }), async () => {
			// A deleted record's id is not used again.
			const again = newId();
			await shop.mutate("category.create", () => ({
				id: again,
				name,
				sortOrder,
			}));
			for (const product of members)
				await shop.mutate("product.update", () => ({
					id: product.id,
					set: { categoryId: again },
				}));
		});
	}

	return (
		<>
			<Button variant="default" size="md" onClick={() => setOpen(true)}>
				{say("products.categories")}
			</Button>
			<Modal
				opened={isOpen}
				onClose={() => setOpen(false)}
				title={say("products.categories")}
			>
				<Stack gap="xs">
					{problem}
					{/* Above the list: a new row must not move its bin under the second click of two. */}
					<form onSubmit={form.onSubmit(add)}>
						<Group align="flex-end">
							<TextInput
								{...form.getInputProps("name")}
								flex={1}
								label={say("products.addCategory")}
								maxLength={200}
							/>
							<Button type="submit" loading={isBusy}>
								{say("app.save")}
							</Button>
						</Group>
					</form>
					{categories.map((category) => {
						const { id, name } = category;
						return (
							<Group key={`${id} ${name}`} wrap="nowrap">
								<TextInput
									flex={1}
									aria-label={name}
									defaultValue={name}
									maxLength={200}
									onBlur={(event) =>
										rename(id, name, event.currentTarget.value)
									}
								/>
								<ActionIcon
									size={44}
									variant="subtle"
									color="red"
									aria-label={say("products.removeCategory", { name })}
									onClick={() => remove(category)}
								>
									<Trash2 size={18} />
								</ActionIcon>
							</Group>
						);
					})}
				</Stack>
			</Modal>
		</>
	);
}
