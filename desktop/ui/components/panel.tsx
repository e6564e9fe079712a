import { Badge, Card, Group, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A card with a title, and with a badge if `badge` isn't 0. */
export function Panel({
	title,
	badge = 0,
	children,
}: {
	title: string;
	badge?: number;
	children: ReactNode;
}) {
	return (
		<Card withBorder component="section">
			<Group mb="sm" gap="xs">
				<Title order={2} size="h4">
					{title}
				</Title>
				{badge > 0 && (
					<Badge color="red" variant="light">
						{badge}
					</Badge>
				)}
			</Group>
			{children}
		</Card>
	);
}
