import { useRef, useState } from 'react'
import type { FocusEvent, FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { cleanCode } from '#kit/contract/clean-text.ts'
import { normaliseEmail } from '#kit/contract/email.ts'
import { isAcceptedAsNewEmail } from '#kit/contract/new-email.ts'
import { isConfirmedEmail, rememberConfirmedEmail } from './confirmed-emails.ts'
import type { Form } from './form.ts'

type Question = { typed: string; suggestion: string; isBeforeSubmit: boolean }

export type EmailQuestion = {
  /** The address that the person probably meant. `null` if there is nothing to ask. */
  suggestion: string | null
  /** The address in the field, if the person has chosen it by answering the question. */
  chosen: string | null
  leaveField(event: FocusEvent): void
  acceptSuggestion(): void
  keepTyped(): void
  /** Replaces the form's own `onSubmit`, because an open question has to be answered first. */
  onSubmit(event: FormEvent): void
}

/** How many milliseconds submitting waits for the code that finds mistyped domains. After that, the form is submitted without a check. */
const maxWaitMs = 1_000

/**
 * Asks "Did you mean ana@gmail.com?" when a person leaves the field and its domain looks mistyped, or at the latest before the form is
 * submitted. An address that a person has confirmed is not questioned again.
 */
export function useEmailQuestion<N extends string>(form: Form<Record<N, string>>, name: N): EmailQuestion {
  const typed = form.values[name]
  // The server has accepted the form's first address before.
  const [initial] = useState(typed)
  const [question, setQuestion] = useState<Question | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const lastPlausible = useRef('')
  const isChecking = useRef(false)
  const openQuestion = question?.typed === typed && !form.errors[name] ? question : null

  const isSettled = () => typed === initial || typed === lastPlausible.current || !isWorthChecking(typed)

  async function check(isBeforeSubmit: boolean): Promise<boolean> {
    const suggestion = await (isBeforeSubmit ? findSuggestionInTime(typed) : findSuggestion(typed))
    if (suggestion) flushSync(() => setQuestion({ typed, suggestion, isBeforeSubmit }))
    else lastPlausible.current = typed
    return suggestion === null
  }

  async function checkAndSubmit(event: FormEvent) {
    if (isChecking.current) return
    isChecking.current = true
    const isPlausible = await check(true)
    isChecking.current = false
    if (isPlausible) form.props.onSubmit(event)
    else findElement(form, answerSelector)?.focus()
  }

  function answer({ isBeforeSubmit }: Question, address: string) {
    // A tap on an answer leaves the focus where it is. If an answer has the focus, the person uses the keyboard.
    const hasFocus = document.activeElement?.matches(answerSelector)
    rememberConfirmedEmail(normaliseEmail(cleanEmail(address)) ?? address)
    flushSync(() => {
      form.set(name, address)
      setChosen(address)
      setQuestion(null)
    })
    // Pressing the button respects that it may be disabled by now.
    if (isBeforeSubmit) findElement(form, '[type="submit"]')?.click()
    else if (hasFocus) findElement(form, `[name="${name}"]`)?.focus()
  }

  return {
    suggestion: openQuestion && openQuestion.suggestion,
    chosen: chosen === typed ? chosen : null,
    leaveField({ target }) {
      if (target instanceof HTMLInputElement && !openQuestion && !isSettled()) void check(false)
    },
    acceptSuggestion: () => openQuestion && answer(openQuestion, openQuestion.suggestion),
    keepTyped: () => openQuestion && answer(openQuestion, typed),
    onSubmit(event) {
      event.preventDefault()
      if (openQuestion) {
        setQuestion({ ...openQuestion, isBeforeSubmit: true })
        findElement(form, answerSelector)?.focus()
      } else if (isSettled()) form.props.onSubmit(event)
      else void checkAndSubmit(event)
    },
  }
}

const answerSelector = '[data-email-question] button'

const findElement = ({ props }: Form<Record<string, string>>, selector: string) =>
  props.ref.current?.querySelector<HTMLElement>(selector)

const cleanEmail = (typed: string) => cleanCode(typed).trim()

function isWorthChecking(typed: string): boolean {
  const email = normaliseEmail(cleanEmail(typed))
  return email !== null && isAcceptedAsNewEmail(email) && !isConfirmedEmail(email)
}

/** If the code cannot be loaded, there is no suggestion, so that nobody is stopped. */
async function findSuggestion(typed: string): Promise<string | null> {
  const loaded = await import('./suggest-email.ts').catch(() => null)
  return loaded && loaded.suggestEmail(cleanEmail(typed))
}

async function findSuggestionInTime(typed: string): Promise<string | null> {
  const { promise: timeout, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), maxWaitMs)
  return Promise.race([findSuggestion(typed), timeout]).finally(() => clearTimeout(timer))
}
