import { Card, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A card with a title, and a badge if its count isn't 0. */
export function Part({
	title,
	children,
}: {
	title: string;
	children: ReactNode;
}) {
	return (
		<Card withBorder component="section">
			<Title order={2} size="h4" mb="sm">
				{title}
			</Title>
			{children}
		</Card>
	);
}
