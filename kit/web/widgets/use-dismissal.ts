import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * While `open`, calls `close` when the user clicks or focuses something outside `ref`'s element, or presses Escape. After Escape, `byKey`
 * is true and the focus should return to the opener.
 */
export function useDismissal(ref: RefObject<HTMLElement | null>, open: boolean, close: (byKey: boolean) => void): void {
  const onClose = useEffectEvent(close)
  useEffect(() => {
    if (!open) return
    const abortController = new AbortController()
    const dismissIfOutside = ({ target }: Event) => {
      if (!ref.current?.contains(target as Node)) onClose(false)
    }
    const handleEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') onClose(true)
    }
    document.addEventListener('pointerdown', dismissIfOutside, abortController)
    document.addEventListener('focusin', dismissIfOutside, abortController)
    document.addEventListener('keydown', handleEscape, abortController)
    return () => abortController.abort()
  }, [ref, open])
}
