import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ColourName } from '#kit/contract/brand.ts'
import { type Rgb, rgbOf } from '#kit/contract/colours.ts'

export type ColoursNow = ReadonlyMap<ColourName, Rgb>

/**
 * The measured colours of a list of swatches (`data-colour` on a filled shape); empty until measured. Measured again
 * when the theme of the style guide or the system changes.
 */
export function useColoursNow(): { list: RefObject<HTMLUListElement | null>; colours: ColoursNow } {
  const list = useRef<HTMLUListElement>(null)
  const [colours, setColours] = useState<ColoursNow>(new Map())

  useEffect(() => {
    function measure() {
      const shapes = [...(list.current?.querySelectorAll<SVGElement>('[data-colour]') ?? [])]
      const found = shapes.map((shape) => [shape.dataset['colour'], rgbOf(getComputedStyle(shape).fill)] as const)
      setColours(new Map(found.filter((entry): entry is [ColourName, Rgb] => entry[1] !== null)))
    }
    measure()
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', measure)
    const root = new MutationObserver(measure)
    root.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      system.removeEventListener('change', measure)
      root.disconnect()
    }
  }, [])

  return { list, colours }
}
