/** Milliseconds for which a success message is shown (specification, section 9). */
export const toastDurationMs = 1500
