export function dayOf(date: Date): string
export function timeOf(date: Date): string
export function stampOf(date: Date): string
export function recipientOf(to: string): string
export function money(cents: number): string
export function data(gb: number): string
export function count(number: number, one: string): string
