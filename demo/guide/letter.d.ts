export function letterOf(html: string): HTMLElement
export function wordsOfLinks(html: string): Map<string, string>
export function safeAddress(text: string | null): string | null
