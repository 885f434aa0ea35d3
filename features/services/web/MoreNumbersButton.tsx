import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#kit/web/widgets/Button.tsx'
import type { ShownNumbers } from './use-shown-numbers.ts'

type Props = Pick<ShownNumbers, 'showMore'> & {
  next: string
  /** The element that contains the list; each number in it has one link. */
  list: RefObject<HTMLElement | null>
}

/** Before its script has loaded, the button works as a link to a page of the next numbers. */
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
