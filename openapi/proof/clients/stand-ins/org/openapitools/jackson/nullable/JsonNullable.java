// A field that is absent, null or a value: as much of jackson-databind-nullable as the generated client uses.
package org.openapitools.jackson.nullable;

public final class JsonNullable<T> {
  private final boolean isPresent;
  private final T value;

  private JsonNullable(boolean isPresent, T value) {
    this.isPresent = isPresent;
    this.value = value;
  }

  public static <T> JsonNullable<T> undefined() {
    return new JsonNullable<>(false, null);
  }

  public static <T> JsonNullable<T> of(T value) {
    return new JsonNullable<>(true, value);
  }

  public boolean isPresent() {
    return isPresent;
  }

  public T get() {
    return value;
  }

  public T orElse(T other) {
    return isPresent ? value : other;
  }
}
