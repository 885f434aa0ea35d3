import type { MouseEvent } from 'react'
import { TextField, type TextFieldProps } from './TextField.tsx'
import type { EmailQuestion } from './use-email-question.ts'
import * as s from './EmailField.module.css'

type Props<N extends string> = Pick<TextFieldProps<N>, 'form' | 'name' | 'label' | 'hint' | 'autoComplete'> & {
  question: EmailQuestion
}

/** A field for a new email address. The question about a mistyped domain has its space below the field, so that nothing moves. */
export function EmailField<N extends string>({ question, hint, autoComplete = 'email', ...props }: Props<N>) {
  return (
    <div className={s.email} onBlur={question.leaveField}>
      <TextField
        {...props}
        type="email"
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        hint={<EmailNote question={question} hint={hint} />}
      />
    </div>
  )
}

function EmailNote({ question, hint }: Pick<Props<string>, 'question' | 'hint'>) {
  const { suggestion, chosen } = question
  const address = suggestion ?? chosen
  return (
    <span className={s.note}>
      <span role="status" className={s.text}>
        {address && <Sentence address={address} isQuestion={suggestion !== null} />}
      </span>
      {suggestion && <Answers question={question} suggestion={suggestion} />}
      {!address && <span>{hint}</span>}
    </span>
  )
}

function Sentence({ address, isQuestion }: { address: string; isQuestion: boolean }) {
  const at = address.lastIndexOf('@')
  return (
    <>
      <span>{isQuestion ? 'Did you mean ' : 'We’ll use '}</span>
      <b className={s.address} translate="no">
        <span className={s.local}>{address.slice(0, at)}</span>
        <span>{`${address.slice(at)}${isQuestion ? '?' : '.'}`}</span>
      </b>
    </>
  )
}

function Answers({ question, suggestion }: { question: EmailQuestion; suggestion: string }) {
  return (
    <span role="group" data-email-question="" aria-label={`Did you mean ${suggestion}?`} className={s.answers}>
      <button type="button" className={s.answer} onMouseDown={keepFocus} onClick={question.acceptSuggestion}>
        Yes
      </button>
      <button type="button" className={s.answer} onMouseDown={keepFocus} onClick={question.keepTyped}>
        No
      </button>
    </span>
  )
}

/** A tap on an answer leaves the focus in the field that the person has gone on to. */
const keepFocus = (event: MouseEvent) => event.preventDefault()
