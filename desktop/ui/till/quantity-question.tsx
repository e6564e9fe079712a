import { Button, Modal, SimpleGrid, Stack, Text } from "@mantine/core";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import type { CartLine } from "./cart.ts";

/** A larger quantity needs confirmation: it may be a barcode, or have a 0 too many. */
export const usualMax = 10_000;

export interface UnusualQuantity {
	line: CartLine;
	quantity: number;
}

/** Asks whether an unusually large quantity is right. Enter means no. */
export function QuantityQuestion({
	doubt: { line, quantity },
	onAnswer,
}: {
	doubt: UnusualQuantity;
	onAnswer(isRight: boolean): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<Modal
			opened
			onClose={() => onAnswer(false)}
			title={`${format.quantity(quantity)} × ${line.name}`}
			transitionProps={{ duration: 0 }}
		>
			<Stack>
				<Text>{say("till.doubt")}</Text>
				<SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
					<Button
						size="lg"
						px="xs"
						data-autofocus
						onClick={() => onAnswer(false)}
					>
						{say("till.doubtNo", { quantity: format.quantity(line.quantity) })}
					</Button>
					<Button
						size="lg"
						px="xs"
						variant="default"
						onClick={() => onAnswer(true)}
					>
						{say("till.doubtYes", { quantity: format.quantity(quantity) })}
					</Button>
				</SimpleGrid>
			</Stack>
		</Modal>
	);
}
