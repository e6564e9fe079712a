import { Card, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** One subject of the settings. */
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
