import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { TextFreeNode } from '../text-elements.tsx'
import { toastDurationMs } from '../toast-time.ts'
import { Icon } from './Icon.tsx'
import * as buttons from './round.module.css'
import * as s from './Toast.module.css'

type ToastState = { turn: number; message: string; time: number }

/**
 * Creates toast messages. Render `toast` once, anywhere on the page. A message whose `time` (in milliseconds) is longer than the
 * specification's default can be closed.
 */
export function useToast(): { toast: TextFreeNode; show: (message: string, time?: number) => void } {
  const [{ turn, message, time }, say] = useState<ToastState>({ turn: 0, message: '', time: toastDurationMs })
  const show = (message: string, time = toastDurationMs) => say((before) => ({ turn: before.turn + 1, message, time }))
  const toastMessage = message && <ToastMessage key={turn} message={message} time={time} onEnd={() => show('')} />
  // The status element exists before it contains a message; otherwise, a screen reader would not announce the message.
  return {
    toast: (
      <div role="status" className={s.toast}>
        {toastMessage}
      </div>
    ),
    show,
  }
}

function ToastMessage({ message, time, onEnd }: { message: string; time: number; onEnd: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  const [isHeld, hold] = useState(false)
  const isAtTop = useIsCoveringFocus(ref)
  const isLongLived = time > toastDurationMs
  useRestoreFocus(ref)
  const end = useEffectEvent(onEnd)

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => end(), time)
    return () => clearTimeout(timer)
  }, [isHeld, time])

  useEffect(() => {
    const toastElement = ref.current
    if (!isLongLived || !toastElement) return
    const abortController = new AbortController()
    for (const type of ['pointerenter', 'focusin'])
      toastElement.addEventListener(type, () => hold(true), abortController)
    for (const type of ['pointerleave', 'focusout'])
      toastElement.addEventListener(type, () => hold(false), abortController)
    return () => abortController.abort()
  }, [isLongLived])

  return (
    <div ref={ref} className={`${s.bubble} ${isAtTop ? s.top : ''}`}>
      <Icon name="check" />
      <span>{message}</span>
      {isLongLived && (
        <button type="button" className={`${buttons.round} ${s.close}`} aria-label="Close" onClick={onEnd}>
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}

function useRestoreFocus(ref: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const toastMessage = ref.current
    let before = document.activeElement
    const rememberFocus = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof HTMLElement && !toastMessage?.contains(relatedTarget)) before = relatedTarget
    }
    toastMessage?.addEventListener('focusin', rememberFocus)
    return () => {
      toastMessage?.removeEventListener('focusin', rememberFocus)
      if (toastMessage?.contains(document.activeElement) && before instanceof HTMLElement)
        before.focus({ preventScroll: true })
    }
  }, [ref])
}

/** Whether the message would cover the focused control, which must stay visible (WCAG 2.4.11). */
function useIsCoveringFocus(ref: { current: HTMLElement | null }): boolean {
  const [isInTheWay, setInTheWay] = useState(false)
  useLayoutEffect(() => {
    const checkOverlap = () => {
      const focusedElement = document.activeElement
      if (!ref.current || !focusedElement || ref.current.contains(focusedElement)) return
      setInTheWay(focusedElement.getBoundingClientRect().bottom > innerHeight - ref.current.offsetHeight - 32)
    }
    checkOverlap()
    const abortController = new AbortController()
    document.addEventListener('focusin', checkOverlap, abortController)
    document.addEventListener('scroll', checkOverlap, { passive: true, signal: abortController.signal })
    return () => abortController.abort()
  }, [ref])
  return isInTheWay
}
