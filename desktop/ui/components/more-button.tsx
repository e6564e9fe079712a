import { useWords } from "../words/index.ts";
import { Button } from "./button.tsx";

interface Props {
	list: {
		hasNextPage: boolean;
		isFetchingNextPage: boolean;
		fetchNextPage(): unknown;
	};
	isWide?: boolean;
}

/** Fetches the next page of a list. Nothing where all rows are shown. */
export function MoreButton({ list, isWide = false }: Props) {
	const { say } = useWords();
	if (!list.hasNextPage) return null;
	return (
		<Button
			isWide={isWide}
			isBusy={list.isFetchingNextPage}
			onClick={() => list.fetchNextPage()}
		>
			{say("app.more")}
		</Button>
	);
}
