import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#kit/web/widgets/Button.tsx'
import type { ShownNumbers } from './use-shown-numbers.ts'

type Props = Pick<ShownNumbers, 'showMore'> & {
  next: string
  /** The element that contains the list of numbers. Each number has one link in the list. */
  list: RefObject<HTMLElement | null>
}

/**
 * A button that shows more numbers. Until its script has loaded, it works as a link to a page with the next numbers.
 */
export default function MoreNumbersButton({ next, showMore, list }: Props) {
  return (
    <Button
      kind="quiet"
      wide
      href={next}
      onClick={(event) => {
        event.preventDefault()
        const findLinks = () => [...(list.current?.querySelectorAll('a') ?? [])]
        const previousLinks = new Set(findLinks())
        flushSync(showMore)
        findLinks()
          .find((link) => !previousLinks.has(link))
          ?.focus()
      }}
    >
      Show more numbers
    </Button>
  )
}
