'use client';

/** The service cannot be reached, or has refused something unexpected. The user is still signed in. */
export default function ErrorPage() {
  return (
    <>
      <h1>Something went wrong</h1>
      <p>Please try again in a moment.</p>
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </>
  );
}
