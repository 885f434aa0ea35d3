import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { wrapText } from './text-elements.tsx'

const Line = ({ children }: { children: ReactNode }) => <p>{wrapText(children)}</p>

function translate(root: HTMLElement): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const font = document.createElement('font')
    font.textContent = text.data
    text.replaceWith(font)
  }
}

test('wraps each run of text in a span and leaves existing elements as they are', () => {
  const { container } = render(
    <Line>
      {2} of {3}
      <b>kiwi</b> left
    </Line>,
  )
  expect(container.innerHTML).toBe('<p><span>2 of 3</span><b>kiwi</b><span> left</span></p>')
})

test('React can still change or remove text, or insert an element before it, after a page translator has replaced it', () => {
  const { container, rerender } = render(<Line>{[false, 'Save']}</Line>)
  translate(container)
  rerender(<Line>{[<i key="dots" />, 'Saving']}</Line>)
  expect(container.innerHTML).toBe('<p><i></i><span>Saving</span></p>')
  translate(container)
  rerender(<Line>{[<i key="dots" />, false]}</Line>)
  expect(container.innerHTML).toBe('<p><i></i></p>')
})
