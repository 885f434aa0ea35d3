import type { DemoMessage } from '../mailbox.ts'

export function messageView(message: DemoMessage): HTMLElement
export function channelOf(message: DemoMessage): string
export function iconOf(message: DemoMessage): SVGElement
export function titleOf(message: DemoMessage): string
