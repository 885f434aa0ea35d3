import { Children, type ReactElement, type ReactNode } from 'react'

/** Like `ReactNode`, but without bare text, so that the content can appear and disappear next to text. */
export type TextFreeNode = ReactElement | false | '' | null | undefined | readonly TextFreeNode[]

const isText = (part: ReactNode): part is string | number => typeof part === 'string' || typeof part === 'number'

const wrapInSpan = (text: string): ReactElement => <span key={text}>{text}</span>

/**
 * Wraps each run of text in an element. A page translator replaces text nodes, and React can neither remove a replaced node nor insert
 * anything before it. The element stays in place, and its key makes React re-render text that has changed.
 */
export function wrapText(children: ReactNode, elementOf: (text: string) => ReactElement = wrapInSpan): ReactNode {
  const parts: ReactNode[] = []
  Children.forEach(children, (child) => {
    const last = parts.at(-1)
    if (isText(child) && isText(last)) parts[parts.length - 1] = `${last}${child}`
    else parts.push(child)
  })
  return Children.map(parts, (part) => (isText(part) ? elementOf(String(part)) : part))
}
