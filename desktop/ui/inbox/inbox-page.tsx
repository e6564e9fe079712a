import { Badge, Card, Group, Stack, Text, Title } from "@mantine/core";
import { LoadError } from "../components/load-error.tsx";
import { useFormat } from "../format.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

const itemsMax = 200;

/** Lists what looked odd about recorded sales: which till, when, how many, and the money at stake. */
export default function Inbox() {
	const { say } = useWords();
	const format = useFormat();
	const { data, error } = useAnswer("inboxItem.list", {
		limit: itemsMax,
	});
	return (
		<Stack className="page" component="section">
			<Title order={1} size="h2">
				{say("app.inbox")}
			</Title>
			<LoadError error={error} />
			{data?.items.length === 0 && <Text c="dimmed">{say("inbox.none")}</Text>}
			{data?.items.map((item) => (
				<Card key={item.id} withBorder padding="sm">
					<Group justify="space-between">
						<div>
							<Text fw={600}>
								{say(`inbox.${item.cause}`, {
									quantity: format.quantity(item.quantity ?? 0),
								})}
								{item.productName ? `: ${item.productName}` : ""}
							</Text>
							<Text size="sm" c="dimmed">
								{[
									item.receiptNumber,
									item.devicePrefix &&
										say("sync.prefix", { prefix: item.devicePrefix }),
									format.moment(item.createdAt),
								]
									.filter(Boolean)
									.join(" · ")}
							</Text>
						</div>
						{item.moneyAtStake !== null && (
							<Badge color="orange" variant="light" size="lg" tt="none">
								{say("inbox.stake", {
									amount: format.money(item.moneyAtStake),
								})}
							</Badge>
						)}
					</Group>
				</Card>
			))}
		</Stack>
	);
}
