import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ColourName } from '#kit/contract/brand.ts'
import { type Rgb, rgbOf } from '#kit/contract/colours.ts'

export type CurrentColours = ReadonlyMap<ColourName, Rgb>

/**
 * Measures the colours in a list of swatches, which mark their filled shapes with `data-colour`. The result is empty
 * until the first measurement. Colours are measured again when the style guide's theme or the system's theme changes.
 */
export function useCurrentColours(): { list: RefObject<HTMLUListElement | null>; colours: CurrentColours } {
  const list = useRef<HTMLUListElement>(null)
  const [colours, setColours] = useState<CurrentColours>(new Map())

  useEffect(() => {
    function measureColours() {
      const shapes = [...(list.current?.querySelectorAll<SVGElement>('[data-colour]') ?? [])]
      const measuredColours = shapes.map(
        (shape) => [shape.dataset['colour'], rgbOf(getComputedStyle(shape).fill)] as const,
      )
      setColours(new Map(measuredColours.filter((entry): entry is [ColourName, Rgb] => entry[1] !== null)))
    }
    measureColours()
    const darkScheme = matchMedia('(prefers-color-scheme: dark)')
    darkScheme.addEventListener('change', measureColours)
    const rootObserver = new MutationObserver(measureColours)
    rootObserver.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      darkScheme.removeEventListener('change', measureColours)
      rootObserver.disconnect()
    }
  }, [])

  return { list, colours }
}
