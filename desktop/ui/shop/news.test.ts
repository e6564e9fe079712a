import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openNews } from "./news.ts";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** Opens news that counts its reports. */
function open() {
	const told = vi.fn();
	return { news: openNews(told), told };
}

test("a change is reported at once, and those that follow it within a moment together", () => {
	const { news, told } = open();
	news.changed();
	expect(told).toHaveBeenCalledOnce();
	vi.advanceTimersByTime(50);
	news.changed();
	vi.advanceTimersByTime(50);
	news.changed();
	vi.advanceTimersByTime(49);
	expect(told).toHaveBeenCalledOnce();
	vi.advanceTimersByTime(1);
	expect(told).toHaveBeenCalledTimes(2);
});

test("a sale's own change waits until no sale has followed for a while", () => {
	const { news, told } = open();
	news.selling();
	news.changed();
	vi.advanceTimersByTime(390);
	news.selling();
	vi.advanceTimersByTime(390);
	expect(told).not.toHaveBeenCalled();
	vi.advanceTimersByTime(10);
	expect(told).toHaveBeenCalledOnce();
});

test("lists follow between two sales after a second, however quickly somebody sells", () => {
	const { news, told } = open();
	news.selling();
	news.changed();
	for (let i = 0; i < 10; i += 1) {
		expect(told).not.toHaveBeenCalled();
		vi.advanceTimersByTime(100);
		news.selling();
	}
	vi.advanceTimersByTime(80);
	expect(told).toHaveBeenCalledOnce();
});

test("a sale that has just begun is shown before lists are read, however late they are", () => {
	const { news, told } = open();
	news.selling();
	news.changed();
	for (let i = 0; i < 5; i += 1) {
		vi.advanceTimersByTime(199);
		news.selling();
	}
	vi.advanceTimersByTime(79);
	expect(told).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1);
	expect(told).toHaveBeenCalledOnce();
});

test("a closed page hears nothing", () => {
	const { news, told } = open();
	news.selling();
	news.changed();
	news.stop();
	vi.advanceTimersByTime(2_000);
	expect(told).not.toHaveBeenCalled();
});
