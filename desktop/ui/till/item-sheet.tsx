import {
	Button,
	Modal,
	NumberInput,
	SimpleGrid,
	Stack,
	Text,
	TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { amountMax } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { useAttempt } from "../components/attempt.tsx";
import { decimalOf } from "../components/decimal.ts";
import { useWords } from "../words/index.ts";

/** What to sell that has no price yet: a product, an unknown barcode, or a name. */
export type ItemRequest =
	| { product: Product }
	| { code?: string; name?: string };

/** The name and price that the cashier typed. */
export interface ItemAnswer {
	name: string;
	price: number;
	/** Whether to save it: as a new product, or as the product's price. */
	isKept: boolean;
}

/** Asks for an item's price, and for its name if it has none. */
export function ItemSheet({
	wanted,
	mayKeep,
	onSell,
	onClose,
}: {
	wanted: ItemRequest;
	/** Whether this member may change products. */
	mayKeep: boolean;
	onSell(said: ItemAnswer): Promise<void>;
	onClose(): void;
}) {
	const { say } = useWords();
	const { attempt, problem, isBusy } = useAttempt();
	const product = "product" in wanted ? wanted.product : undefined;
	const code = "product" in wanted ? undefined : wanted.code;
	const known = "product" in wanted ? wanted.product.name : wanted.name;
	const form = useForm<{ name: string; price: number | string }>({
		initialValues: { name: known ?? "", price: "" },
		validate: {
			name: (name) => (name.trim() === "" ? say("item.nameMissing") : null),
			price: (typed) => {
				const price = decimalOf(typed) ?? 0;
				if (price <= 0) return say("item.priceMissing");
				return price > amountMax ? say("item.priceTooLarge") : null;
			},
		},
	});

	function sell(isKept: boolean) {
		return form.onSubmit(
			({ name, price }) =>
				void attempt(() =>
					onSell({ name: name.trim(), price: decimalOf(price) ?? 0, isKept }),
				),
			(errors) =>
				form.getInputNode("name" in errors ? "name" : "price")?.focus(),
		);
	}

	// An item with a barcode will be sold again and is worth saving; an item without one seldom is.
	const isKeptFirst = mayKeep && (product ?? code) !== undefined;
	return (
		<Modal
			opened
			onClose={onClose}
			title={
				product
					? say("item.priceOf", { name: product.name })
					: say(code === undefined ? "item.open" : "item.new")
			}
			// Opens over the payment without changing it.
			zIndex={300}
			transitionProps={{ duration: 0 }}
		>
			<form onSubmit={sell(isKeptFirst)} noValidate>
				<Stack>
					{code !== undefined && <Text>{say("till.unknown", { code })}</Text>}
					{product && <Text>{say("till.unpriced")}</Text>}
					{problem}
					{!product && (
						<TextInput
							{...form.getInputProps("name")}
							label={say("products.name")}
							size="lg"
							maxLength={500}
							autoComplete="off"
							{...(known ? {} : { "data-autofocus": true })}
						/>
					)}
					<NumberInput
						{...form.getInputProps("price")}
						label={say("till.price")}
						size="lg"
						decimalScale={6}
						allowNegative={false}
						hideControls
						{...(known ? { "data-autofocus": true } : {})}
					/>
					<SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
						{isKeptFirst && (
							<Button
								variant="default"
								size="lg"
								px="xs"
								disabled={isBusy}
								onClick={() => sell(false)()}
							>
								{say("item.sellOnce")}
							</Button>
						)}
						{mayKeep && !isKeptFirst && (
							<Button
								variant="default"
								size="lg"
								px="xs"
								disabled={isBusy}
								onClick={() => sell(true)()}
							>
								{say("item.sellAndKeep")}
							</Button>
						)}
						<Button type="submit" size="lg" px="xs" loading={isBusy}>
							{say(isKeptFirst ? "item.sellAndKeep" : "item.sellOnce")}
						</Button>
					</SimpleGrid>
				</Stack>
			</form>
		</Modal>
	);
}
